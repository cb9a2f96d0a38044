package dev.tidings.jpa;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.ElementType.TYPE;

import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@code EntityManager} of the database that holds the tables of Tidings; the host produces it.
 *
 * <p>It is container-managed or bound to the transaction: each JTA transaction has its own, and it joins it. Any
 * persistence unit will do; Tidings has no entities. A host that has its {@code DataSource} as a bean may mark that too:
 * then the migrations use it instead of a JNDI name.
 *
 * <p>A qualifier is needed because Jakarta EE 11 makes an unqualified {@code EntityManager} bean of its own.
 *
 * <p>Threads: an annotation.
 */
@Qualifier
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({FIELD, METHOD, PARAMETER, TYPE})
public @interface TidingsDb {}

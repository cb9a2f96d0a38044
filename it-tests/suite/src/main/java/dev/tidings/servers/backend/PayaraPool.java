package dev.tidings.servers.backend;

/** A pool of Payara's, of either kind, over PostgreSQL. */
public final class PayaraPool {

    /** The data source's name. */
    public static final String NAME = "java:app/jdbc/Desk";

    private PayaraPool() {}

    /** Its {@code glassfish-resources.xml}, with the validation that the guide asks for. */
    public static String descriptor(int port) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE resources PUBLIC
                    "-//GlassFish.org//DTD GlassFish Application Server 3.1 Resource Definitions//EN"
                    "http://glassfish.org/dtds/glassfish-resources_1_5.dtd">
                <resources>
                  <jdbc-connection-pool name="java:app/DeskPool" res-type="javax.sql.DataSource"
                      datasource-classname="org.postgresql.ds.PGSimpleDataSource"
                      max-pool-size="30" max-wait-time-in-millis="5000"
                      is-connection-validation-required="true" connection-validation-method="custom-validation"
                      validation-classname="org.glassfish.api.jdbc.validation.PostgresConnectionValidation">
                    <property name="url" value="jdbc:postgresql://127.0.0.1:%d/postgres"/>
                    <property name="user" value="postgres"/>
                    <property name="password" value="postgres"/>
                  </jdbc-connection-pool>
                  <jdbc-resource jndi-name="java:app/jdbc/Desk" pool-name="java:app/DeskPool"/>
                </resources>
                """.formatted(port);
    }
}

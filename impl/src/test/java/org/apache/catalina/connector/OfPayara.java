package org.apache.catalina.connector;

import jakarta.servlet.AsyncContext;

/** Not public, so that a proxy of it is a class of this package: its name is that of a context of Payara's. */
interface OfPayara extends AsyncContext {}

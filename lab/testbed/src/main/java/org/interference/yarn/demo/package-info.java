/**
 * The demo: in goes a command line, out come an embedded cluster that runs real applications twice and tables of what the
 * plugin measured, learned and decided. Everything it reports is read from the plugin's REST API, as an operator would.
 */
package org.interference.yarn.demo;

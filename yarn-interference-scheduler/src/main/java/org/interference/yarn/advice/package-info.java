/** What an administrator or a user could ask of YARN instead: how large containers need to be, and how many nodes. Pure. */
package org.interference.yarn.advice;

/** Plans, of files and of what a ResourceManager says of its cluster, and what is made of any plan: a picture, and a file for YARN. Texts and trees come in and go out. */
package org.interference.yarn.cli.plan;

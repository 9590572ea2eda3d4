#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Cloudera Manager reads this before it starts a YARN role; it puts both jars on the role's class path.
interference_jars="$PARCELS_ROOT/${PARCEL_DIRNAME:-INTERFERENCE}/lib/hadoop-yarn/lib/*"
export HADOOP_CLASSPATH="${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}$interference_jars"
export MR2_CLASSPATH="${MR2_CLASSPATH:+$MR2_CLASSPATH:}$interference_jars"

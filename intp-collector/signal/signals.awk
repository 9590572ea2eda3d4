# SPDX-License-Identifier: Apache-2.0
# Reads the rows of Signal.java, NAME(id, combination, scale, ...), and writes them as a list of C macro calls:
# X(NAME, "name", whether levels are events or bytes a second, whether slowdowns are predicted from it).

function row(text,   name, field) {
	name = substr(text, 1, index(text, "(") - 1)
	gsub(/[ \t]/, "", name)
	split(substr(text, index(text, "(") + 1), field, /[ \t]*,[ \t]*/)
	if (name !~ /^[A-Z][A-Z0-9]*$/ || field[1] !~ /^[ \t]*[0-9]+$/ || field[3] !~ /^[A-Z_]+$/ || field[4] !~ /^(PREDICTED|TOLD)$/) {
		print "not a signal: " text > "/dev/stderr"
		exit 1
	}
	print "\tX(" name ", \"" tolower(name) "\", " (field[3] ~ /RATE$/ ? "true" : "false") ", " \
		(field[4] == "PREDICTED" ? "true" : "false") ") \\"
}

BEGIN { print "#define INTP_EACH_SIGNAL(X) \\" }
/^public enum Signal / { inside = 1; next }
!inside || /^[ \t]*(\/|\*|$)/ { next }
{ text = text " " $0 }
/\)[,;]$/ { row(text); text = "" }
/\);$/ { whole = 1; exit }

END {
	print ""
	exit !whole
}

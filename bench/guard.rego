# The published guard as a policy: the tier by package prefix, then one pattern
# after the other on each label. Patterns and prefixes come as data.
package guard

default asks := false

tier := "HIGH" if {
	some prefix in data.packages.high
	startswith(input.package, prefix)
} else := "LOW" if {
	some prefix in data.packages.low
	startswith(input.package, prefix)
} else := "MEDIUM"

patterns := data.patterns.high if {
	tier == "LOW"
} else := data.patterns.all

asks if {
	some label in [input.text, input.content_desc, input.resource_id]
	text := lower(label)
	some pattern in patterns
	regex.match(pattern, text)
}

module github.com/countersign/countersign

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/mtibben/confusables v0.0.0-20210201002637-9d1b0723b659
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	golang.org/x/text v0.44.0
	mvdan.cc/sh/v3 v3.14.1
	pgregory.net/rapid v1.3.0
)

require (
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.52.0 // indirect
)

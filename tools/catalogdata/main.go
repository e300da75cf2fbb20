// Command catalogdata turns a list of Android packages into the table that
// package catalog embeds.
//
//	go run ./tools/catalogdata -in ../shared/corpus/apps/packages.tsv -out catalog/data/apps.bin
//
// The list has six columns (package, name, category, tier, source, confidence).
// The tool files each row under a short kind, corrects what a vague rule put
// into too low a tier (rules.go; corrections only ever raise), adds the parts
// of the system by hand (surfaces.tsv), keeps the names that are names, and
// packs the result. The same input gives the same bytes. It prints what it
// changed by which rule; catalog/data/README.md keeps that account.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("catalogdata: ")
	in := flag.String("in", "../shared/corpus/apps/packages.tsv", "the list of packages")
	out := flag.String("out", "catalog/data/apps.bin", "where to write the table")
	flag.Parse()

	file, err := os.Open(*in)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	packed, account, err := build(file)
	if err != nil {
		log.Fatalf("%s: %v", *in, err)
	}
	if err := os.WriteFile(*out, packed, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Print(account)
	fmt.Printf("%s: %d bytes\n", *out, len(packed))
}

// build reads the list and returns the packed table and an account of what was
// changed.
func build(list io.Reader) ([]byte, string, error) {
	rows, err := readRows(list)
	if err != nil {
		return nil, "", err
	}
	account := newAccount(rows)
	apps := make([]app, 0, len(rows))
	for _, r := range rows {
		apps = append(apps, account.correct(r))
	}
	if apps, err = addSurfaces(apps); err != nil {
		return nil, "", err
	}
	slices.SortFunc(apps, func(a, b app) int { return strings.Compare(a.id, b.id) })
	packed, err := pack(apps)
	return packed, account.String(apps), err
}

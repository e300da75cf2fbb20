package catalog

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/countersign/countersign/risk"
)

// packedApps is written by tools/catalogdata; its format is described in
// data/README.md.
//
//go:embed data/apps.bin
var packedApps []byte

// table holds the rows of the catalogue, sorted by package id, with a hash index.
type table struct {
	asOf    string
	classes []class
	classOf []uint8
	ids     string   // all ids, one after the other
	idEnd   []uint32 // where each id ends in ids
	names   []string // parts of the unpacked data
	slots   []uint16 // row+1 by hash, open addressing; 0 is free
}

// class is what many rows share.
type class struct {
	kind    string
	tier    risk.Tier
	surface Surface
	vague   bool
}

func (t *table) size() int            { return len(t.classOf) }
func (t *table) class(row int) *class { return &t.classes[t.classOf[row]] }
func (t *table) name(row int) string  { return t.names[row] }

func (t *table) id(row int) string {
	start := uint32(0)
	if row > 0 {
		start = t.idEnd[row-1]
	}
	return t.ids[start:t.idEnd[row]]
}

func (t *table) entry(row int) Entry {
	c := t.class(row)
	return Entry{
		Package: t.id(row), Name: t.name(row), Kind: c.kind, Tier: c.tier,
		Surface: c.surface, Vague: c.vague,
	}
}

func (t *table) verdict(row int) Verdict {
	c := t.class(row)
	return Verdict{Tier: c.tier, Why: WhyCatalogue, Name: t.name(row), Kind: c.kind, Surface: c.surface}
}

// find returns the row of exactly this id.
func (t *table) find(id string) (row int, ok bool) {
	if t == nil || len(id) > maxPackage {
		return 0, false
	}
	mask := uint32(len(t.slots) - 1)
	for slot := hashString(id) & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		row := int(t.slots[slot]) - 1
		if t.id(row) == id {
			return row, true
		}
	}
	return 0, false
}

// index fills the hash index, at most half full.
func (t *table) index() {
	size := 2
	for size < 2*t.size() {
		size *= 2
	}
	t.slots = make([]uint16, size)
	mask := uint32(size - 1)
	for row := range t.size() {
		slot := hashString(t.id(row)) & mask
		for t.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.slots[slot] = uint16(row + 1)
	}
}

// FNV-1a. The tables are built from our own data, so nobody can fill them with
// colliding keys.
const hashSeed uint32 = 2166136261

func hashStep(h uint32, b byte) uint32 { return (h ^ uint32(b)) * 16777619 }

func hashString(s string) uint32 {
	h := hashSeed
	for i := 0; i < len(s); i++ {
		h = hashStep(h, s[i])
	}
	return h
}

func hashBytes(b []byte) uint32 {
	h := hashSeed
	for _, c := range b {
		h = hashStep(h, c)
	}
	return h
}

const (
	tableMagic  = "countersign apps 1\n"
	maxUnpacked = 4 << 20
	maxRows     = 1<<16 - 2 // a row+1 must fit a slot
)

var errDamaged = errors.New("damaged table")

// decodeTable reads the packed form. It refuses anything that is not exactly
// what the generator writes.
func decodeTable(packed []byte) (*table, error) {
	var unpacked strings.Builder
	unpacked.Grow(4 * len(packed))
	_, err := io.Copy(&unpacked, io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxUnpacked+1))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	r := &columns{rest: unpacked.String()}
	if unpacked.Len() > maxUnpacked || r.take(len(tableMagic)) != tableMagic {
		return nil, fmt.Errorf("%w: not an app table of this version", errDamaged)
	}
	t := &table{asOf: r.text()}
	for range r.count(256) {
		t.classes = append(t.classes, r.class())
	}
	rows := r.count(maxRows)
	shared, tails := r.text(), r.lines(rows)
	t.classOf, t.names = []byte(r.text()), r.lines(rows)
	if r.bad || r.rest != "" || len(shared) != rows || len(t.classOf) != rows {
		return nil, fmt.Errorf("%w: the columns do not add up", errDamaged)
	}
	if err := t.joinIDs(shared, tails); err != nil {
		return nil, err
	}
	t.index()
	return t, nil
}

// joinIDs undoes the front coding: each id is stored as how many bytes it
// shares with the one before, and the rest. Ids must rise.
func (t *table) joinIDs(shared string, tails []string) error {
	all := make([]byte, 0, 32*len(tails))
	start := 0 // of the id before
	t.idEnd = make([]uint32, len(tails))
	for row, tail := range tails {
		previous := all[start:]
		if int(shared[row]) > len(previous) || int(t.classOf[row]) >= len(t.classes) {
			return fmt.Errorf("%w: row %d", errDamaged, row)
		}
		start = len(all)
		all = append(append(all, previous[:shared[row]]...), tail...)
		id := all[start:]
		if bytes.Compare(id, previous) <= 0 || packageDefect(string(id)) != "" {
			return fmt.Errorf("%w: row %d: package %q", errDamaged, row, id)
		}
		t.idEnd[row] = uint32(len(all))
	}
	t.ids = string(all)
	return nil
}

// columns reads the unpacked data front to back. After the first defect it
// gives zero values and bad is set.
type columns struct {
	rest string
	bad  bool
}

func (r *columns) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.bad, r.rest = true, ""
		return ""
	}
	head := r.rest[:n]
	r.rest = r.rest[n:]
	return head
}

// count reads a number of at most limit.
func (r *columns) count(limit int) int {
	n, size := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(limit) {
		r.bad, r.rest = true, ""
		return 0
	}
	r.rest = r.rest[size:]
	return int(n)
}

// text reads a length and that many bytes.
func (r *columns) text() string { return r.take(r.count(maxUnpacked)) }

// lines reads a text of n lines that each end in a line feed.
func (r *columns) lines(n int) []string {
	text := r.text()
	if strings.Count(text, "\n") != n || n > 0 && !strings.HasSuffix(text, "\n") {
		r.bad = true
		return make([]string, n)
	}
	lines := make([]string, n)
	for i := range lines {
		lines[i], text, _ = strings.Cut(text, "\n")
	}
	return lines
}

func (r *columns) class() class {
	c := class{kind: r.text()}
	surface, known := parseSurface(r.text())
	if err := c.tier.UnmarshalText([]byte(r.text())); err != nil || !known {
		r.bad = true
	}
	c.surface, c.vague = surface, r.count(1) == 1
	return c
}

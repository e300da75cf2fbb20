package catalog

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"
)

func unpacked(t *testing.T) []byte {
	t.Helper()
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packedApps)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func repacked(t *testing.T, data []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// TestDamagedTablesAreRefused cuts the table off and flips bytes in it. What is
// cut off must be refused; no damage may cause a panic.
func TestDamagedTablesAreRefused(t *testing.T) {
	data, ran := unpacked(t), 0
	for cut := 0; cut < len(data); cut += 1 + cut/8 {
		ran++
		if _, err := decodeTable(repacked(t, data[:cut])); err == nil {
			t.Errorf("a table of %d bytes of %d is accepted", cut, len(data))
		}
	}
	if _, err := decodeTable(repacked(t, append(bytes.Clone(data), 0))); err == nil {
		t.Error("a byte too many is accepted")
	}
	if _, err := decodeTable(packedApps[:len(packedApps)/2]); err == nil {
		t.Error("half a stream is accepted")
	}
	for at := 0; at < 4000; at += 97 {
		ran++
		broken := bytes.Clone(data)
		broken[at] ^= 0x55
		if apps, err := decodeTable(repacked(t, broken)); err == nil {
			for row := range apps.size() {
				_ = apps.entry(row)
			}
		}
	}
	if ran < 100 {
		t.Errorf("%d damaged tables ran", ran)
	}
}

func FuzzDecodeTable(f *testing.F) {
	f.Add([]byte(tableMagic + "\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte(tableMagic + "\x01x\x01\x01k\x04none\x03LOW\x00\x02\x02\x00\x02\x04ab\nc\n\x02\x00\x00\x02\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		apps, err := decodeTable(repacked(t, data))
		if err != nil {
			return
		}
		for row := range apps.size() {
			if got, ok := apps.find(apps.id(row)); !ok || got != row {
				t.Fatalf("row %d (%q) is not found", row, apps.id(row))
			}
		}
		newNearIndex(apps)
	})
}

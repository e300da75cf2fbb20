package wire

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// syncRequests are all kinds of requests.
var syncRequests = []SyncID{SyncSTAT, SyncLSTA, SyncSTA2, SyncLST2, SyncLIST, SyncLIS2, SyncSEND, SyncSND2, SyncRECV, SyncRCV2, SyncQUIT}

func TestSyncRequestBytes(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		bytes string
		want  SyncRequest
	}{
		{"STAT\x07\x00\x00\x00/sdcard", SyncRequest{ID: SyncSTAT, Path: "/sdcard"}},
		{"SEND\x0c\x00\x00\x00/a,b/c,33188", SyncRequest{ID: SyncSEND, Path: "/a,b/c", Mode: 0o100644}},
		{"SEND\x07\x00\x00\x00/x,0644", SyncRequest{ID: SyncSEND, Path: "/x", Mode: 0o644}},
		{"SND2\x02\x00\x00\x00/xSND2\xa4\x81\x00\x00\x00\x00\x00\x00", SyncRequest{ID: SyncSND2, Path: "/x", Mode: 0o100644}},
		{"SND2\x02\x00\x00\x00/xSND2\xa4\x81\x00\x00\x00\x00\x00\x80", SyncRequest{ID: SyncSND2, Path: "/x", Mode: 0o100644, Flags: SyncDryRun}},
		{"RCV2\x02\x00\x00\x00/xRCV2\x00\x00\x00\x00", SyncRequest{ID: SyncRCV2, Path: "/x"}},
		{"QUIT\x00\x00\x00\x00", SyncRequest{ID: SyncQUIT}},
	} {
		cases++
		r := strings.NewReader(c.bytes + "next")
		got, err := ReadSyncRequest(r)
		raw := string(got.Raw)
		got.Raw = nil
		if err != nil || got.ID != c.want.ID || got.Path != c.want.Path || got.Mode != c.want.Mode || got.Flags != c.want.Flags || r.Len() != 4 {
			t.Errorf("%q: %+v, %v", c.bytes, got, err)
		}
		if raw != c.bytes {
			t.Errorf("%q was kept as %q", c.bytes, raw)
		}
	}
	if cases != 7 {
		t.Fatalf("%d cases", cases)
	}
}

func TestSyncErrors(t *testing.T) {
	request := func(r io.Reader) error { _, err := ReadSyncRequest(r); return err }
	data := func(r io.Reader) error { _, err := io.ReadAll(NewSyncReader(r)); return err }
	stat := func(r io.Reader) error { _, _, err := ReadSyncStat(r); return err }
	dent := func(r io.Reader) error { _, _, err := ReadSyncDent(r, SyncDENT); return err }
	cases := 0
	for _, c := range []struct {
		name  string
		read  func(io.Reader) error
		bytes string
		want  error
	}{
		{"no request", request, "", io.EOF},
		{"half a header", request, "STAT", io.ErrUnexpectedEOF},
		{"half a path", request, "STAT\x02\x00\x00\x00/", io.ErrUnexpectedEOF},
		{"a long path", request, "STAT\x01\x04\x00\x00/", ErrProtocol},
		{"a path of 4 GiB", request, "LIST\xff\xff\xff\xff/", ErrProtocol},
		{"another record", request, "DATA\x02\x00\x00\x00/x", ErrProtocol},
		{"no mode", request, "SEND\x02\x00\x00\x00/x", ErrProtocol},
		{"another mode", request, "SEND\x04\x00\x00\x00/x,y", ErrProtocol},
		{"compression", request, "RCV2\x02\x00\x00\x00/xRCV2\x01\x00\x00\x00", ErrProtocol},
		{"unknown flags", request, "SND2\x02\x00\x00\x00/xSND2\x00\x00\x00\x00\x00\x01\x00\x00", ErrProtocol},
		{"no second record", request, "RCV2\x02\x00\x00\x00/x", io.ErrUnexpectedEOF},
		{"another second record", request, "RCV2\x02\x00\x00\x00/xSND2\x00\x00\x00\x00", ErrProtocol},

		{"no data", data, "", io.ErrUnexpectedEOF},
		{"half a record", data, "DATA\x02\x00\x00\x00x", io.ErrUnexpectedEOF},
		{"no end", data, "DATA\x01\x00\x00\x00x", io.ErrUnexpectedEOF},
		{"a large record", data, "DATA\x01\x00\x01\x00x", ErrProtocol},
		{"a request in data", data, "STAT\x01\x00\x00\x00x", ErrProtocol},
		{"a long reason", data, "FAIL\x01\x00\x01\x00x", ErrProtocol},

		{"no answer", ReadSyncStatus, "", io.ErrUnexpectedEOF},
		{"another answer", ReadSyncStatus, "DONE\x00\x00\x00\x00", ErrProtocol},
		{"half a reason", ReadSyncStatus, "FAIL\x05\x00\x00\x00x", io.ErrUnexpectedEOF},

		{"no stat", stat, "", io.ErrUnexpectedEOF},
		{"half a stat", stat, "STAT\x00\x00", io.ErrUnexpectedEOF},
		{"an entry as a stat", stat, "DENT\x00\x00", ErrProtocol},

		{"no entry", dent, "", io.ErrUnexpectedEOF},
		{"another version", dent, "DNT2\x00\x00", ErrProtocol},
		{"a long name", dent, "DENT" + strings.Repeat("\x00", 12) + "\x01\x04\x00\x00", ErrProtocol},
		{"half a name", dent, "DENT" + strings.Repeat("\x00", 12) + "\x02\x00\x00\x00x", io.ErrUnexpectedEOF},
		{"half an end", dent, "DONE\x00\x00", io.ErrUnexpectedEOF},
	} {
		cases++
		if err := c.read(strings.NewReader(c.bytes)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if cases != 29 {
		t.Fatalf("%d cases", cases)
	}
}

func TestSyncWritesOnlyWhatCanBeRead(t *testing.T) {
	long := strings.Repeat("x", MaxSyncPath+1)
	cases := 0
	for name, err := range map[string]error{
		"a long path":       WriteSyncRequest(io.Discard, SyncRequest{ID: SyncSTAT, Path: long}),
		"a long name":       WriteSyncDent(io.Discard, SyncDENT, long, FileStat{}),
		"a stat as entry":   WriteSyncDent(io.Discard, SyncSTAT, "x", FileStat{}),
		"an entry as stat":  WriteSyncStat(io.Discard, SyncDENT, FileStat{}),
		"a request as stat": WriteSyncStat(io.Discard, SyncLIST, FileStat{}),
		"another end":       WriteSyncListDone(io.Discard, SyncSTAT),
	} {
		cases++
		if err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if cases != 6 {
		t.Fatalf("%d cases", cases)
	}
	if _, _, err := ReadSyncDent(strings.NewReader(""), SyncSTAT); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a list of stats: %v", err)
	}
}

func TestSyncRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		q := SyncRequest{ID: rapid.SampledFrom(syncRequests).Draw(t, "id"), Path: rapid.StringN(0, 50, 200).Draw(t, "path")}
		if q.ID == SyncSEND || q.ID == SyncSND2 {
			q.Mode = rapid.Uint32().Draw(t, "mode")
		}
		if err := WriteSyncRequest(&b, q); err != nil {
			t.Fatal(err)
		}
		got, err := ReadSyncRequest(&b)
		if err != nil || got.ID != q.ID || got.Path != q.Path || got.Mode != q.Mode || b.Len() > 0 {
			t.Fatalf("%+v, %v", got, err)
		}

		file := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "file")
		for range rapid.IntRange(0, 10).Draw(t, "doublings") {
			file = append(file, file...)
		}
		w := NewSyncWriter(&b)
		n, err := w.Write(file)
		if err := errors.Join(err, w.Done(42)); err != nil || n != len(file) {
			t.Fatal(n, err)
		}
		b.WriteString("next")
		r := NewSyncReader(iotest.HalfReader(&b))
		back, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(back, file) || r.Time != 42 || b.String() != "next" {
			t.Fatalf("%d of %d bytes, time %d, %v, left %q", len(back), len(file), r.Time, err, b.String())
		}
	})
}

func TestSyncStatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u32 := func(name string) uint32 { return rapid.Uint32().Draw(t, name) }
		s := FileStat{Mode: u32("mode"), Size: uint64(u32("size")), Mtime: int64(u32("mtime"))}
		id := rapid.SampledFrom([]SyncID{SyncSTAT, SyncLSTA, SyncSTA2, SyncLST2}).Draw(t, "id")
		entry := SyncDENT
		if id == SyncSTA2 || id == SyncLST2 {
			entry = SyncDNT2
			s.Error, s.Nlink, s.UID, s.GID = u32("error"), u32("nlink"), u32("uid"), u32("gid")
			s.Dev, s.Ino, s.Size = rapid.Uint64().Draw(t, "dev"), rapid.Uint64().Draw(t, "ino"), rapid.Uint64().Draw(t, "size")
			s.Atime, s.Mtime, s.Ctime = rapid.Int64().Draw(t, "atime"), rapid.Int64().Draw(t, "mtime"), rapid.Int64().Draw(t, "ctime")
		}
		name := rapid.StringN(0, 20, 80).Draw(t, "name")
		var b bytes.Buffer
		if err := errors.Join(WriteSyncStat(&b, id, s), WriteSyncDent(&b, entry, name, s), WriteSyncListDone(&b, entry)); err != nil {
			t.Fatal(err)
		}
		if gotID, got, err := ReadSyncStat(&b); gotID != id || got != s || err != nil {
			t.Fatalf("%v %+v, %v", gotID, got, err)
		}
		if gotName, got, err := ReadSyncDent(&b, entry); gotName != name || got != s || err != nil {
			t.Fatalf("%q %+v, %v", gotName, got, err)
		}
		if _, _, err := ReadSyncDent(&b, entry); err != io.EOF || b.Len() > 0 {
			t.Fatalf("the end of the list: %v, left %d bytes", err, b.Len())
		}
	})
}

// The lengths of records that adb's file_sync_protocol.h fixes.
func TestSyncRecordLengths(t *testing.T) {
	length := func(write func(io.Writer) error) int {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Error(err)
		}
		return b.Len()
	}
	got := []int{
		length(func(w io.Writer) error { return WriteSyncStat(w, SyncSTAT, FileStat{}) }),
		length(func(w io.Writer) error { return WriteSyncStat(w, SyncLST2, FileStat{}) }),
		length(func(w io.Writer) error { return WriteSyncDent(w, SyncDENT, "", FileStat{}) }),
		length(func(w io.Writer) error { return WriteSyncDent(w, SyncDNT2, "", FileStat{}) }),
		length(func(w io.Writer) error { return WriteSyncListDone(w, SyncDENT) }),
		length(func(w io.Writer) error { return WriteSyncListDone(w, SyncDNT2) }),
		length(WriteSyncOkay),
	}
	if want := []int{16, 72, 20, 76, 20, 76, 8}; !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestSyncFailures(t *testing.T) {
	var b bytes.Buffer
	for range 3 {
		if err := WriteSyncFail(&b, "no such file"); err != nil {
			t.Fatal(err)
		}
	}
	_, readErr := io.ReadAll(NewSyncReader(&b))
	statusErr := ReadSyncStatus(&b)
	_, _, dentErr := ReadSyncDent(&b, SyncDENT)
	for name, err := range map[string]error{"data": readErr, "status": statusErr, "list": dentErr} {
		var f *Failure
		if !errors.As(err, &f) || f.Message != "no such file" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := errors.Join(WriteSyncOkay(&b), ReadSyncStatus(&b)); err != nil {
		t.Error(err)
	}
	if err := WriteSyncFail(&b, strings.Repeat("x", MaxSyncData+1)); err != nil {
		t.Error(err)
	}
	var f *Failure
	if err := ReadSyncStatus(&b); !errors.As(err, &f) || len(f.Message) != MaxSyncData {
		t.Errorf("a long reason: %.80v", err)
	}
	if got := SyncID(1).String() + SyncSTAT.String() + SyncSND2.String(); got != "record 0x00000001STATSND2" {
		t.Error(got)
	}
}

// FuzzSync reads requests, each with its data, as a phone does. What was kept
// of a request are its bytes, and they are read to the same again.
func FuzzSync(f *testing.F) {
	f.Add([]byte("STAT\x02\x00\x00\x00/xLIS2\x01\x00\x00\x00/QUIT\x00\x00\x00\x00"))
	f.Add([]byte("SEND\x06\x00\x00\x00/x,420DATA\x02\x00\x00\x00hiDONE\x01\x00\x00\x00RECV\x02\x00\x00\x00/x"))
	f.Add([]byte("SND2\x02\x00\x00\x00/xSND2\xa4\x81\x00\x00\x00\x00\x00\x00DATA\x01\x00\x00\x00xFAIL\x02\x00\x00\x00no"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		for {
			before := len(b) - r.Len()
			q, err := ReadSyncRequest(r)
			if err != nil {
				return
			}
			if !bytes.Equal(q.Raw, b[before:len(b)-r.Len()]) {
				t.Fatalf("%q was kept as %q", b[before:len(b)-r.Len()], q.Raw)
			}
			var again bytes.Buffer
			if err := WriteSyncRequest(&again, q); err != nil {
				// A mode in another notation may be longer in ours.
				if q.ID != SyncSEND || len(q.Path) < MaxSyncPath-11 {
					t.Fatalf("%+v: %v", q, err)
				}
				continue
			}
			if back, err := ReadSyncRequest(&again); err != nil || back.ID != q.ID || back.Path != q.Path || back.Mode != q.Mode || back.Flags != q.Flags {
				t.Fatalf("%+v is read again as %+v, %v", q, back, err)
			}
			if q.ID == SyncSEND || q.ID == SyncSND2 {
				before := r.Len()
				if n, _ := io.Copy(io.Discard, NewSyncReader(r)); n > int64(before-r.Len()) {
					t.Fatalf("%d bytes of data in %d", n, before-r.Len())
				}
			}
		}
	})
}

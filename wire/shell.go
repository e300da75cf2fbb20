package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A ShellID is the kind of a packet of the shell protocol, version 2.
type ShellID byte

// The kinds of shell packets.
const (
	ShellStdin      ShellID = 0 // to the phone
	ShellStdout     ShellID = 1 // from the phone
	ShellStderr     ShellID = 2 // from the phone
	ShellExit       ShellID = 3 // from the phone: one byte, the exit code
	ShellCloseStdin ShellID = 4 // to the phone: no more input
	ShellWindowSize ShellID = 5 // to the phone: "rowsxcolumns,xpixelsxypixels"
)

// String is the name of the kind.
func (id ShellID) String() string {
	switch id {
	case ShellStdin:
		return "stdin"
	case ShellStdout:
		return "stdout"
	case ShellStderr:
		return "stderr"
	case ShellExit:
		return "exit"
	case ShellCloseStdin:
		return "close stdin"
	case ShellWindowSize:
		return "window size"
	}
	return fmt.Sprintf("shell packet %d", byte(id))
}

// shellHeaderSize is one byte of kind and four of length.
const shellHeaderSize = 5

// ReadShellPacket reads one packet whose data is at most limit bytes (no more
// than MaxPayload). It returns io.EOF if there is none. A kind that is not
// known is returned like any other: phones pass it over.
func ReadShellPacket(r io.Reader, limit int) (ShellID, []byte, error) {
	var h [shellHeaderSize]byte
	if n, err := io.ReadFull(r, h[:]); err != nil {
		if n == 0 {
			return 0, nil, err
		}
		return 0, nil, cutOff("the header of a shell packet", err)
	}
	id, length := ShellID(h[0]), binary.LittleEndian.Uint32(h[1:])
	if limit := min(max(limit, 0), MaxPayload); int64(length) > int64(limit) {
		return 0, nil, broken("a %v packet of %d bytes, at most %d are read", id, length, limit)
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(r, data); err != nil {
		return 0, nil, cutOff(fmt.Sprintf("a %v packet", id), err)
	}
	return id, data, nil
}

// WriteShellPacket writes one packet. Its data is at most MaxPayload bytes.
func WriteShellPacket(w io.Writer, id ShellID, data []byte) error {
	if len(data) > MaxPayload {
		return fmt.Errorf("a %v packet of %d bytes: at most %d", id, len(data), MaxPayload)
	}
	b := make([]byte, 0, shellHeaderSize+len(data))
	b = append(b, byte(id))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	_, err := w.Write(append(b, data...))
	return err
}

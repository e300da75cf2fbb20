package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A Command is the kind of a transport packet: four letters, little endian.
type Command uint32

// The commands of the transport protocol.
const (
	CNXN Command = 0x4e584e43 // connect: version, largest payload, banner
	AUTH Command = 0x48545541 // authenticate: never sent by us, never accepted
	OPEN Command = 0x4e45504f // open a stream: our id, window (delayed acks) or 0, service
	OKAY Command = 0x59414b4f // ready: our id, their id, bytes read (delayed acks)
	CLSE Command = 0x45534c43 // close: our id or 0, their id
	WRTE Command = 0x45545257 // data: our id, their id, bytes
	STLS Command = 0x534c5453 // go on in TLS: never sent by us, never accepted
	SYNC Command = 0x434e5953 // internal to old versions; never on the wire
)

// String is the command's four letters, or its number where it has none.
func (c Command) String() string {
	switch c {
	case CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS, SYNC:
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(c))
		return string(b[:])
	}
	return fmt.Sprintf("command %#08x", uint32(c))
}

// Versions and sizes of the transport protocol.
const (
	// VersionMin is the oldest version: every payload carries its sum.
	VersionMin uint32 = 0x01000000
	// VersionNoSum is the version from which the sum is left out.
	VersionNoSum uint32 = 0x01000001
	// MaxPayload is the largest payload of a packet, in bytes (1 MiB).
	MaxPayload = 1 << 20
	// minPayload is what the oldest peers can take.
	minPayload = 4 << 10
	// headerSize is the length of a packet's header, in bytes.
	headerSize = 24
)

// Packet is one message of the transport protocol. What the arguments mean
// depends on the command.
type Packet struct {
	Command    Command
	Arg0, Arg1 uint32
	Payload    []byte
}

// header is a packet without its payload.
type header struct {
	command    Command
	arg0, arg1 uint32
	length     uint32
	sum        uint32
}

// ReadPacket reads one packet whose payload is at most maxPayload bytes (no
// more than MaxPayload). It returns io.EOF if there is none, an error with
// io.ErrUnexpectedEOF if it is cut off and one with ErrProtocol if it is no
// packet. A sum of zero is the mark of the versions that leave it out; any
// other has to fit.
func ReadPacket(r io.Reader, maxPayload int) (Packet, error) {
	h, err := readHeader(r, new([headerSize]byte), maxPayload)
	if err != nil {
		return Packet{}, err
	}
	p := Packet{Command: h.command, Arg0: h.arg0, Arg1: h.arg1}
	if h.length > 0 {
		p.Payload = make([]byte, h.length)
		if _, err := io.ReadFull(r, p.Payload); err != nil {
			return Packet{}, cutOff(fmt.Sprintf("the payload of %v", h.command), err)
		}
	}
	return p, h.check(p.Payload)
}

// WritePacket writes one packet with its sum, which every version takes. The
// payload is at most MaxPayload bytes.
func WritePacket(w io.Writer, p *Packet) error {
	if len(p.Payload) > MaxPayload {
		return fmt.Errorf("a payload of %d bytes: a packet takes at most %d", len(p.Payload), MaxPayload)
	}
	b := appendHeader(make([]byte, 0, headerSize+len(p.Payload)), p, true)
	_, err := w.Write(append(b, p.Payload...))
	return err
}

// readHeader reads and checks the fixed part of a packet, by way of b.
func readHeader(r io.Reader, b *[headerSize]byte, maxPayload int) (header, error) {
	if n, err := io.ReadFull(r, b[:]); err != nil {
		if n == 0 {
			return header{}, err
		}
		return header{}, cutOff("the header of a packet", err)
	}
	h := header{
		command: Command(binary.LittleEndian.Uint32(b[0:])),
		arg0:    binary.LittleEndian.Uint32(b[4:]),
		arg1:    binary.LittleEndian.Uint32(b[8:]),
		length:  binary.LittleEndian.Uint32(b[12:]),
		sum:     binary.LittleEndian.Uint32(b[16:]),
	}
	if magic := binary.LittleEndian.Uint32(b[20:]); magic != ^uint32(h.command) {
		return header{}, broken("a packet's magic is %#08x, %#08x belongs to its command", magic, ^uint32(h.command))
	}
	if limit := min(max(maxPayload, 0), MaxPayload); int64(h.length) > int64(limit) {
		return header{}, broken("%v with a payload of %d bytes, at most %d were agreed", h.command, h.length, limit)
	}
	return h, nil
}

// check holds the payload against the header's sum.
func (h header) check(payload []byte) error {
	if h.sum == 0 {
		return nil
	}
	if sum := sumOf(payload); sum != h.sum {
		return broken("the payload of %v sums up to %#x, its header says %#x", h.command, sum, h.sum)
	}
	return nil
}

// appendHeader is p's header, with the sum of its payload or without.
func appendHeader(b []byte, p *Packet, sum bool) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(p.Command))
	b = binary.LittleEndian.AppendUint32(b, p.Arg0)
	b = binary.LittleEndian.AppendUint32(b, p.Arg1)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Payload)))
	var s uint32
	if sum {
		s = sumOf(p.Payload)
	}
	b = binary.LittleEndian.AppendUint32(b, s)
	return binary.LittleEndian.AppendUint32(b, ^uint32(p.Command))
}

// sumOf is what adb calls the checksum (or crc): its bytes added up.
func sumOf(payload []byte) uint32 {
	var sum uint32
	for _, b := range payload {
		sum += uint32(b)
	}
	return sum
}

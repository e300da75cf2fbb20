package adbd

import (
	"context"
	"encoding/binary"

	"github.com/countersign/countersign/phone/shell"
	"github.com/countersign/countersign/wire"
)

// framebuffer sends one picture: a header of version 1 (framebuffer_service.cpp:
// version, bits, size, width, height, then offset and length of red, blue, green
// and alpha), and the pixels.
func (t *transport) framebuffer(_ context.Context, s *wire.Stream, _ Service) {
	picture, err := t.phone.Screenshot()
	if err != nil {
		s.Refuse()
		return
	}
	raw, err := shell.RawPixels(picture)
	if err != nil || s.Accept() != nil {
		s.Refuse()
		return
	}
	// The first four numbers of raw are its width, height, format and colours.
	width, height, pixels := binary.LittleEndian.Uint32(raw), binary.LittleEndian.Uint32(raw[4:]), raw[16:]
	var header []byte
	for _, n := range []uint32{1, 32, uint32(len(pixels)), width, height, 0, 8, 16, 8, 8, 8, 24, 8} {
		header = binary.LittleEndian.AppendUint32(header, n)
	}
	if _, err := s.Write(header); err == nil {
		s.Write(pixels)
	}
}

package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// signedRoots are the stored and the kept checkpoints, compared as the rows go by.
type signedRoots struct {
	v     *verification
	after int64 // the stored size of the last checkpoint that was read
	page  []StoredCheckpoint
	last  bool // there are no further pages
	kept  []signedRoot
	good  int
}

// signedRoot is what a kept checkpoint says.
type signedRoot struct {
	size int64
	root Hash
}

// keep reads the checkpoints that were kept elsewhere. One that cannot be
// opened is the caller's mistake, no fault of the ledger.
func (s *signedRoots) keep(texts [][]byte) error {
	for i, text := range texts {
		size, root, err := openCheckpoint(text, s.v.key)
		if err != nil {
			return fmt.Errorf("ledger: verify: kept checkpoint %d: %w", i+1, err)
		}
		if size < s.v.head.Size {
			return fmt.Errorf("ledger: verify: kept checkpoint %d ends at row %d, before the row to begin after; verify from the beginning", i+1, size)
		}
		s.kept = append(s.kept, signedRoot{size, root})
	}
	slices.SortStableFunc(s.kept, func(a, b signedRoot) int { return cmp.Compare(a.size, b.size) })
	return nil
}

// next makes page[0] the next stored checkpoint; it reports false at the end.
func (s *signedRoots) next() (bool, error) {
	if len(s.page) > 0 || s.last {
		return len(s.page) > 0, nil
	}
	page, err := s.v.src.Checkpoints(s.v.ctx, s.after, pageSize)
	if err != nil {
		return false, fmt.Errorf("ledger: verify: read checkpoints after %d: %w", s.after, err)
	}
	s.page, s.last = page, len(page) < pageSize
	return len(page) > 0, nil
}

// check compares the checkpoints of the size that the rows have reached.
func (s *signedRoots) check(h Head) (*Fault, error) {
	for {
		more, err := s.next()
		if err != nil {
			return nil, err
		}
		if !more || s.page[0].Size > h.Size {
			break
		}
		if fault, err := s.stored(h); fault != nil || err != nil {
			return fault, err
		}
	}
	for len(s.kept) > 0 && s.kept[0].size == h.Size {
		root, err := h.Root()
		if err != nil {
			return nil, err
		}
		if root != s.kept[0].root {
			return &Fault{h.Size, "the rows up to here are not those that the kept checkpoint signed"}, nil
		}
		s.kept = s.kept[1:]
		s.good++
	}
	return nil, nil
}

// stored compares page[0] with the rows so far, and drops it.
func (s *signedRoots) stored(h Head) (*Fault, error) {
	c := s.page[0]
	size, signed, fault := s.open(c)
	if fault != nil {
		return fault, nil
	}
	if size != h.Size || size <= s.after {
		return &Fault{c.Size, "there is a second checkpoint of this size, or one out of order"}, nil
	}
	root, err := h.Root()
	if err != nil {
		return nil, err
	}
	if root != signed {
		return &Fault{size, "the rows up to here are not those that the stored checkpoint signed"}, nil
	}
	s.page, s.after = s.page[1:], c.Size
	s.good++
	return nil, nil
}

// open reads a stored checkpoint and holds its column against its text.
func (s *signedRoots) open(c StoredCheckpoint) (int64, Hash, *Fault) {
	size, root, err := openCheckpoint(c.Text, s.v.key)
	switch {
	case errors.Is(err, ErrSignature):
		return 0, root, &Fault{c.Size, "the stored checkpoint of this size has a bad signature"}
	case err != nil:
		return 0, root, &Fault{c.Size, fmt.Sprintf("the stored checkpoint of this size cannot be read: %v", err)}
	case size != c.Size:
		return 0, root, &Fault{c.Size, fmt.Sprintf("the checkpoint stored for this size is of size %d", size)}
	}
	return size, root, nil
}

// rest finds the checkpoints that no row reached.
func (s *signedRoots) rest(size int64) (*Fault, error) {
	missing := func(what string, signed int64) *Fault {
		return &Fault{size + 1, fmt.Sprintf("the rows from here to row %d are missing; a %s checkpoint signed them", signed, what)}
	}
	more, err := s.next()
	switch {
	case err != nil:
		return nil, err
	case more:
		signed, _, fault := s.open(s.page[0])
		if fault != nil {
			return fault, nil
		}
		return missing("stored", signed), nil
	case len(s.kept) > 0:
		return missing("kept", s.kept[0].size), nil
	}
	return nil, nil
}

package sqlite

import "context"

// Check reports whether the record can be written, by writing: it takes an
// idempotency key that is nobody's and older than any, and removes what is so
// old. Reading would say that all is well on a full disk. The error wraps
// hold.ErrUnavailable.
func (s *Store) Check(ctx context.Context) error {
	err := s.write(ctx, func(g *group) error {
		if _, err := g.exec(insertKey, "", "check", "", "", -1); err != nil {
			return err
		}
		_, err := g.exec(deleteOldKeys, 0)
		return err
	})
	if err != nil {
		return unavailable("check", err)
	}
	return nil
}

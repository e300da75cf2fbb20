package upstream

import "net"

// Settled waits until no connection is being made that is to be kept.
func (ps *Phones) Settled() { ps.work.Wait() }

// Kept are the connections that are kept, standing or not.
func (ps *Phones) Kept() []net.Conn {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	var all []net.Conn
	for _, k := range ps.kept {
		all = append(all, k.conn)
	}
	return all
}

// Unused does to all that are kept what is done when nobody uses them for a while.
func (ps *Phones) Unused() {
	ps.mu.Lock()
	all := append([]*kept(nil), ps.kept...)
	ps.mu.Unlock()
	for _, k := range all {
		ps.drop(k)
	}
}

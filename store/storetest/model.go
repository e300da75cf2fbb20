package storetest

import (
	"slices"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// model is what a store is thought of as: maps and a list.
type model struct {
	questions map[string]approval.Approval
	grants    map[string]approval.Grant
	keys      map[[2]string]hold.Key
	freeze    hold.Freeze
	rows      []ledger.Entry
}

func newModel() *model {
	return &model{questions: map[string]approval.Approval{}, grants: map[string]approval.Grant{}, keys: map[[2]string]hold.Key{}}
}

// apply does the change when nothing is against it. Else it returns every error
// that is right: which of several faults is named first is up to the engine.
func (m *model) apply(c hold.Change) (faults []error) {
	if c.RefuseFrozen && m.freeze.Frozen {
		faults = append(faults, hold.ErrFrozen)
	}
	if c.Key != nil {
		if _, taken := m.keys[[2]string{c.Key.Agent, c.Key.Key}]; taken {
			faults = append(faults, hold.ErrKeyTaken)
		}
	}
	if c.New != nil {
		if _, there := m.questions[c.New.ID]; there {
			faults = append(faults, hold.ErrUnavailable)
		}
		if m.joins(c.New) {
			faults = append(faults, hold.ErrJoin)
		}
	}
	for _, v := range c.Moved {
		if q, there := m.questions[v.Approval.ID]; !there {
			faults = append(faults, hold.ErrNotFound)
		} else if q.Version != v.Was {
			faults = append(faults, hold.ErrMoved)
		}
	}
	if c.NewGrant != nil {
		if _, there := m.grants[c.NewGrant.ID]; there {
			faults = append(faults, hold.ErrUnavailable)
		}
	}
	for _, v := range c.MovedGrants {
		if g, there := m.grants[v.Grant.ID]; !there {
			faults = append(faults, hold.ErrNotFound)
		} else if g.Version != v.Was {
			faults = append(faults, hold.ErrMoved)
		}
	}
	if slices.ContainsFunc(c.Rows, func(e ledger.Entry) bool { return e.Kind == "" }) {
		faults = append(faults, hold.ErrUnavailable)
	}
	if len(faults) > 0 {
		return faults
	}
	if c.Key != nil {
		m.keys[[2]string{c.Key.Agent, c.Key.Key}] = *c.Key
	}
	if c.New != nil {
		m.questions[c.New.ID] = *c.New
	}
	for _, v := range c.Moved {
		m.questions[v.Approval.ID] = v.Approval
	}
	if c.NewGrant != nil {
		m.grants[c.NewGrant.ID] = *c.NewGrant
	}
	for _, v := range c.MovedGrants {
		m.grants[v.Grant.ID] = v.Grant
	}
	if c.Freeze != nil {
		m.freeze = *c.Freeze
	}
	m.rows = append(m.rows, c.Rows...)
	return nil
}

// joins reports whether the same question is pending or approved.
func (m *model) joins(a *approval.Approval) bool {
	for _, q := range m.questions {
		if q.Agent == a.Agent && q.Device == a.Device && q.Digest == a.Digest && (q.State == approval.Pending || q.State == approval.Approved) {
			return true
		}
	}
	return false
}

// matching are the questions that a query picks, in no order and without a limit.
func (m *model) matching(q hold.Query) (list []approval.Approval) {
	for _, a := range m.questions {
		if (len(q.States) == 0 || slices.Contains(q.States, a.State)) &&
			(q.Agent == "" || q.Agent == a.Agent) && (q.Digest == "" || q.Digest == a.Digest) &&
			(q.Intent == "" || q.Intent == a.Intent) && (q.Similar == "" || q.Similar == a.Similar) &&
			!lastEvent(&a).Before(q.Since) {
			list = append(list, a)
		}
	}
	return list
}

// matchingGrants are the grants that a query picks, in no order and without a
// limit.
func (m *model) matchingGrants(q hold.GrantQuery) (list []approval.Grant) {
	for _, g := range m.grants {
		if (q.ID == "" || q.ID == g.ID) && (q.Agent == "" || q.Agent == g.Agent) && (q.Similar == "" || q.Similar == g.Similar) &&
			(q.From == "" || q.From == g.From) && (!q.Open || g.EndedAt.IsZero()) {
			list = append(list, g)
		}
	}
	return list
}

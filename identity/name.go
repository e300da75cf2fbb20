package identity

// CheckName says what is wrong with a name for an agent or an approver.
func CheckName(name string) error { return errSkeleton }

// Package identitytest holds every engine to what identity.Store promises.
package identitytest

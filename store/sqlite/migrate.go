package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// The schema, one file a version, forward only. A file that was published is
// never changed: the next version is another file.
//
//go:embed migrations/*.sql
var schemas embed.FS

// migrations are the texts in order; the first makes version 1.
var migrations = readMigrations(schemas)

// latest is the version that this program knows.
var latest = int64(len(migrations))

// readMigrations panics on files that are not numbered 001, 002 and so on: they
// are part of the program.
func readMigrations(files fs.FS) []string {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		panic(err)
	}
	var texts []string
	for i, name := range names {
		if want := fmt.Sprintf("migrations/%03d.sql", i+1); name != want {
			panic(fmt.Sprintf("sqlite: %s stands where %s should", name, want))
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// migrate brings a file to the latest version, each step in a transaction of its
// own: an interrupted step leaves the version before.
func migrate(ctx context.Context, db *sql.DB) error { return migrateWith(ctx, db, migrations) }

func migrateWith(ctx context.Context, db *sql.DB, texts []string) error {
	for {
		done, err := migrateStep(ctx, db, texts)
		if done || err != nil {
			return err
		}
	}
}

// migrateStep takes the next step. The version is read inside of the
// transaction, because another process may be at the same work.
func migrateStep(ctx context.Context, db *sql.DB, texts []string) (done bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("migrate: %w", err)
	}
	defer func() {
		if back := tx.Rollback(); !errors.Is(back, sql.ErrTxDone) {
			err = errors.Join(err, back)
		}
	}()
	var version int
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return false, fmt.Errorf("migrate: read the version: %w", err)
	}
	if version >= len(texts) {
		return true, nil
	}
	// A pragma takes no parameters; these are numbers of our own.
	step := fmt.Sprintf("%s;\nPRAGMA application_id = %d;\nPRAGMA user_version = %d;", texts[version], applicationID, version+1)
	if _, err := tx.ExecContext(ctx, step); err != nil {
		return false, fmt.Errorf("migrate from version %d: %w", version, err)
	}
	if err := tx.Commit(); err != nil {
		return false, fmt.Errorf("migrate from version %d: %w", version, err)
	}
	return false, nil
}

-- Which agents are gates: what they are let do may leave a ticket for the gate
-- below. None of those that were there before is.
ALTER TABLE agents ADD COLUMN gate INTEGER NOT NULL DEFAULT 0;

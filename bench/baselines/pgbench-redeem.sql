-- The bare conditional UPDATE, one statement a client, found by the creation order (the cheapest key the table
-- has). `permute` walks the claims first … first + span - 1 in random order without meeting one twice; each
-- client counts its own steps in :n.
\set n :n + 1
\set seq :first + permute(:n * :clients + :client_id, :span, :seed)
UPDATE claims SET redeemed_at = now() WHERE account_id = :account AND seq = :seq AND redeemed_at IS NULL RETURNING offer_id, via, claimed_at, redeemed_at;

-- A conditional UPDATE that finds the claim by its token hash. `permute` visits the tokens in random order
-- without repetition. Each client counts its transactions in :n.
\set n :n + 1
\set number permute(:n * :clients + :client_id, :span, :seed)
UPDATE claim_rows SET redeemed_at = now() WHERE account_number = :account AND token_hash = substr(sha256(('bench-token-' || :number::text)::bytea), 1, 16) AND redeemed_at IS NULL RETURNING offer_number, via, claimed_at, redeemed_at;

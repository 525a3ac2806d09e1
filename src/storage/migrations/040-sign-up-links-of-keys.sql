-- The API key that a sign-up link was made with. Links from before this was noted have none.

ALTER TABLE sign_up_links ADD COLUMN created_by_key TEXT;

-- Gateways hear of sessions that end. That one was used, or is new, nobody needs to hear: whoever does not know it looks it up.
DROP TRIGGER "weir_announce_change" ON "public"."sessions";--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER DELETE OR TRUNCATE OR UPDATE OF "ends_at", "token_hash", "user_id", "api_key_id" ON "public"."sessions"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();

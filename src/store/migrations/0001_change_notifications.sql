-- Every gateway keeps its keys in memory and hears of a change by this channel. The sequence is for the one that missed
-- the message: it moves on every change, takes no lock, and tells two replicas how far each has read.
CREATE SEQUENCE "public"."weir_changes";
--> statement-breakpoint
CREATE FUNCTION "public"."weir_announce_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('"public"."weir_changes"');
  PERFORM pg_notify('weir_changed', TG_TABLE_NAME);
  RETURN NULL;
END;
$$;
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."organisations"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."workspaces"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."api_keys"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();

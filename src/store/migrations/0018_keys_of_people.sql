CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id") WHERE "api_keys"."user_id" is not null;--> statement-breakpoint
ALTER TABLE "invites" DROP COLUMN "api_key_scopes";--> statement-breakpoint
ALTER TABLE "invites" ADD COLUMN "api_key" jsonb;--> statement-breakpoint
-- Until now whoever had a key of the organisation that makes such keys could do all: that goes for the owners too.
UPDATE "api_keys" SET "scopes" = array_append("scopes", 'organisation_owners.update')
  WHERE "kind" = 'organisation-service'
  AND "scopes" @> ARRAY['organisation_users.update', 'organisation_service_api_keys.create']
  AND NOT 'organisation_owners.update' = ANY ("scopes");

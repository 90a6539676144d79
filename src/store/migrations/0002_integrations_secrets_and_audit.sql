CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp (3) with time zone NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"object_kind" text NOT NULL,
	"object_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"method" text,
	"path" text,
	"request_id" text,
	"source_address" text,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integration_models" (
	"integration_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"enabled" boolean NOT NULL,
	"is_custom" boolean DEFAULT false NOT NULL,
	"is_finetune" boolean DEFAULT false NOT NULL,
	"base_model_slug" text,
	"configurations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"masked" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"pricing_config" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integration_models_integration_id_slug_pk" PRIMARY KEY("integration_id","slug")
);
--> statement-breakpoint
CREATE TABLE "integration_workspaces" (
	"integration_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"usage_limits" jsonb,
	"rate_limits" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integration_workspaces_integration_id_workspace_id_pk" PRIMARY KEY("integration_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"ai_provider_id" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"configurations" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"masked" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secret_mappings" jsonb,
	"pricing_adjustments" jsonb,
	"allow_all_models" boolean DEFAULT true NOT NULL,
	"global_workspace_access" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integrations_organisation_slug" UNIQUE("organisation_id","slug")
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"note" text,
	"status" text DEFAULT 'active' NOT NULL,
	"usage_limits" jsonb,
	"rate_limits" jsonb,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "providers_workspace_slug" UNIQUE("workspace_id","slug")
);
--> statement-breakpoint
CREATE TABLE "data_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"wrapped" text NOT NULL,
	"master_key_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_keys_organisation_version" UNIQUE("organisation_id","version")
);
--> statement-breakpoint
CREATE TABLE "secret_canary" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"sealed" text NOT NULL,
	"master_key_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_canary_one_row" CHECK ("secret_canary"."id")
);
--> statement-breakpoint
DROP INDEX "api_keys_organisation";--> statement-breakpoint
DROP INDEX "api_keys_workspace";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_public_id" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_hash" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotation_policy" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "alert_emails" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "creation_mode" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "status" text DEFAULT 'active' NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "usage_limits" jsonb;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "rate_limits" jsonb;--> statement-breakpoint
ALTER TABLE "integration_models" ADD CONSTRAINT "integration_models_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_workspaces" ADD CONSTRAINT "integration_workspaces_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_workspaces" ADD CONSTRAINT "integration_workspaces_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_organisation" ON "audit_log" USING btree ("organisation_id","sequence");--> statement-breakpoint
CREATE INDEX "integration_workspaces_workspace" ON "integration_workspaces" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "integrations_workspace" ON "integrations" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "providers_integration" ON "providers" USING btree ("integration_id");--> statement-breakpoint
CREATE INDEX "api_keys_organisation_list" ON "api_keys" USING btree ("organisation_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_workspace_list" ON "api_keys" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_public_id" UNIQUE("previous_public_id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_complete" CHECK (num_nonnulls("api_keys"."previous_public_id", "api_keys"."previous_hash", "api_keys"."previous_expires_at") in (0, 3));--> statement-breakpoint
-- What gateways keep in memory is announced; the audit log and the canary are not kept.
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."integrations"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."integration_models"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."integration_workspaces"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."providers"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."data_keys"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE FUNCTION "public"."weir_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'WE001';
END;
$$;
--> statement-breakpoint
CREATE TRIGGER "weir_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "public"."audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_refuse_change"();

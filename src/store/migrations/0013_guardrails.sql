CREATE TABLE "guardrail_defaults" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid,
	"stage" text NOT NULL,
	"position" integer NOT NULL,
	"guardrail_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "guardrail_exclusions" (
	"workspace_id" uuid NOT NULL,
	"stage" text NOT NULL,
	CONSTRAINT "guardrail_exclusions_workspace_id_stage_pk" PRIMARY KEY("workspace_id","stage")
);
--> statement-breakpoint
CREATE TABLE "guardrail_mcp_servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"guardrail_id" uuid NOT NULL,
	"mcp_server_id" uuid NOT NULL,
	"run_on" jsonb NOT NULL,
	"capability_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guardrail_mcp_servers_server" UNIQUE("guardrail_id","mcp_server_id")
);
--> statement-breakpoint
CREATE TABLE "guardrail_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer NOT NULL,
	"owner_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"guardrail_id" uuid NOT NULL,
	"checks" jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	CONSTRAINT "guardrail_versions_number" UNIQUE("guardrail_id","number")
);
--> statement-breakpoint
CREATE TABLE "guardrails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"owner_id" text NOT NULL,
	"updated_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"target" text DEFAULT 'llm' NOT NULL,
	CONSTRAINT "guardrails_organisation_slug" UNIQUE("organisation_id","slug")
);
--> statement-breakpoint
ALTER TABLE "guardrail_defaults" ADD CONSTRAINT "guardrail_defaults_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrail_defaults" ADD CONSTRAINT "guardrail_defaults_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrail_defaults" ADD CONSTRAINT "guardrail_defaults_guardrail_id_guardrails_id_fk" FOREIGN KEY ("guardrail_id") REFERENCES "public"."guardrails"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrail_exclusions" ADD CONSTRAINT "guardrail_exclusions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrail_mcp_servers" ADD CONSTRAINT "guardrail_mcp_servers_guardrail_id_guardrails_id_fk" FOREIGN KEY ("guardrail_id") REFERENCES "public"."guardrails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrail_versions" ADD CONSTRAINT "guardrail_versions_guardrail_id_guardrails_id_fk" FOREIGN KEY ("guardrail_id") REFERENCES "public"."guardrails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrails" ADD CONSTRAINT "guardrails_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guardrails" ADD CONSTRAINT "guardrails_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guardrail_defaults_owner" ON "guardrail_defaults" USING btree ("organisation_id","workspace_id");--> statement-breakpoint
CREATE INDEX "guardrail_defaults_guardrail" ON "guardrail_defaults" USING btree ("guardrail_id");--> statement-breakpoint
CREATE INDEX "guardrails_workspace" ON "guardrails" USING btree ("workspace_id");--> statement-breakpoint
-- Written by hand, unlike all above: what gateways keep in memory is announced, and versions never change.
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."guardrails"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."guardrail_versions"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."guardrail_defaults"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."guardrail_exclusions"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."guardrail_mcp_servers"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_never_changed" BEFORE UPDATE ON "public"."guardrail_versions"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_refuse_change"();

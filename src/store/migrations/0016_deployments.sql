CREATE TABLE "deployment_instances" (
	"deployment_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	"version" text NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"synced_at" timestamp with time zone,
	"resynced_at" timestamp with time zone,
	CONSTRAINT "deployment_instances_deployment_id_instance_id_pk" PRIMARY KEY("deployment_id","instance_id")
);
--> statement-breakpoint
CREATE TABLE "deployment_workspaces" (
	"deployment_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	CONSTRAINT "deployment_workspaces_deployment_id_workspace_id_pk" PRIMARY KEY("deployment_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"type" text DEFAULT 'production' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"deployment_config" jsonb,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"allow_all_workspaces" boolean DEFAULT false NOT NULL,
	"tags" jsonb,
	"username" text NOT NULL,
	"password_hash" text NOT NULL,
	"masked" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deployments_username" UNIQUE("username"),
	CONSTRAINT "deployments_organisation_slug" UNIQUE("organisation_id","slug"),
	CONSTRAINT "deployments_default_is_active" CHECK (not "deployments"."is_default" or "deployments"."status" = 'active')
);
--> statement-breakpoint
CREATE TABLE "mirror_parts" (
	"table_name" text NOT NULL,
	"part" text NOT NULL,
	"mark" text NOT NULL,
	CONSTRAINT "mirror_parts_table_name_part_pk" PRIMARY KEY("table_name","part")
);
--> statement-breakpoint
CREATE TABLE "mirror_state" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"instance_id" uuid NOT NULL,
	"organisation_id" uuid,
	"deployment_id" uuid,
	"schema_mark" text,
	"synced_at" timestamp with time zone,
	"refused_at" timestamp with time zone,
	CONSTRAINT "mirror_state_one_row" CHECK ("mirror_state"."id")
);
--> statement-breakpoint
ALTER TABLE "deployment_instances" ADD CONSTRAINT "deployment_instances_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_workspaces" ADD CONSTRAINT "deployment_workspaces_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployment_workspaces" ADD CONSTRAINT "deployment_workspaces_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deployment_workspaces_workspace" ON "deployment_workspaces" USING btree ("workspace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deployments_organisation_default" ON "deployments" USING btree ("organisation_id") WHERE "deployments"."is_default";--> statement-breakpoint
-- Written by hand, unlike all above: data planes hear at once of what they may have, and of their end.
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."deployments"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."deployment_workspaces"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();

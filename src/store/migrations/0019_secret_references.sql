CREATE TABLE "secret_reference_workspaces" (
	"secret_reference_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	CONSTRAINT "secret_reference_workspaces_key" PRIMARY KEY("secret_reference_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "secret_references" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"manager_type" text NOT NULL,
	"auth_config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"masked" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secret_path" text NOT NULL,
	"secret_key" text,
	"allow_all_workspaces" boolean DEFAULT true NOT NULL,
	"tags" jsonb,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_references_organisation_slug" UNIQUE("organisation_id","slug")
);
--> statement-breakpoint
ALTER TABLE "secret_reference_workspaces" ADD CONSTRAINT "secret_reference_workspaces_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_reference_workspaces" ADD CONSTRAINT "secret_reference_workspaces_reference" FOREIGN KEY ("secret_reference_id") REFERENCES "public"."secret_references"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_references" ADD CONSTRAINT "secret_references_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secret_reference_workspaces_workspace" ON "secret_reference_workspaces" USING btree ("workspace_id");--> statement-breakpoint
-- Written by hand, unlike all above: gateways keep both tables in memory.
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."secret_references"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();
--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."secret_reference_workspaces"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();

CREATE TABLE "usage_limit_policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text,
	"description" text,
	"conditions" jsonb NOT NULL,
	"group_by" jsonb NOT NULL,
	"type" text NOT NULL,
	"credit_limit" double precision NOT NULL,
	"alert_threshold" double precision,
	"schedule" jsonb NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"enforcement" text DEFAULT 'soft' NOT NULL,
	"on_unknown_price" text DEFAULT 'allow' NOT NULL,
	"mode" text DEFAULT 'enforce' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "usage_limit_policies" ADD CONSTRAINT "usage_limit_policies_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_limit_policies" ADD CONSTRAINT "usage_limit_policies_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_limit_policies_workspace" ON "usage_limit_policies" USING btree ("workspace_id","status");--> statement-breakpoint
CREATE TRIGGER "weir_announce_change" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public"."usage_limit_policies"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();

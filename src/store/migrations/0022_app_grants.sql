CREATE TABLE "app_grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"resource" text NOT NULL,
	"resource_path" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"code_ends_at" timestamp with time zone NOT NULL,
	"code_used_at" timestamp with time zone,
	"refresh_hash" text,
	"former_refresh_hash" text,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "app_grants_code_hash" UNIQUE("code_hash"),
	CONSTRAINT "app_grants_refresh_hash" UNIQUE("refresh_hash")
);
--> statement-breakpoint
CREATE TABLE "mcp_oauth_clients" (
	"integration_id" uuid PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed" text,
	"secret_ends_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mcp_connections" ADD COLUMN "refreshing_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "app_grants" ADD CONSTRAINT "app_grants_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_grants" ADD CONSTRAINT "app_grants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_grants" ADD CONSTRAINT "app_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_oauth_clients" ADD CONSTRAINT "mcp_oauth_clients_integration_id_mcp_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."mcp_integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "app_grants_user" ON "app_grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "app_grants_workspace" ON "app_grants" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "app_grants_former_refresh_hash" ON "app_grants" USING btree ("former_refresh_hash");--> statement-breakpoint
CREATE INDEX "app_grants_ends" ON "app_grants" USING btree ("ends_at");
--> statement-breakpoint
-- What never changes of a grant is in the memory of gateways that have met it: only its end has to be known.
CREATE TRIGGER "weir_announce_change" AFTER DELETE OR TRUNCATE ON "public"."app_grants"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."weir_announce_change"();

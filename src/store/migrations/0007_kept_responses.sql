CREATE TABLE "kept_responses" (
	"id" text NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"conversation_id" text NOT NULL,
	"previous_id" text,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kept_responses_key" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "kept_responses" ADD CONSTRAINT "kept_responses_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kept_responses" ADD CONSTRAINT "kept_responses_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_responses_conversation" ON "kept_responses" USING btree ("workspace_id","conversation_id");--> statement-breakpoint
CREATE INDEX "kept_responses_expiry" ON "kept_responses" USING btree ("expires_at");
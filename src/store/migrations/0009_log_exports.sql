CREATE TABLE "log_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"description" text,
	"filters" jsonb NOT NULL,
	"requested_data" jsonb NOT NULL,
	"format" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"total" integer NOT NULL,
	"key_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"question" jsonb,
	"file_id" uuid,
	"parts" integer DEFAULT 0 NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"at" jsonb,
	"error" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"claimed_by" text,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"file" uuid NOT NULL,
	"part" integer NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "stored_files_key" PRIMARY KEY("file","part")
);
--> statement-breakpoint
ALTER TABLE "log_exports" ADD CONSTRAINT "log_exports_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_exports" ADD CONSTRAINT "log_exports_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "log_exports_workspace" ON "log_exports" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "log_exports_status" ON "log_exports" USING btree ("status");
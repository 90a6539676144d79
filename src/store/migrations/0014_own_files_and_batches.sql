CREATE TABLE "own_batch_lines" (
	"batch_id" text NOT NULL,
	"line" integer NOT NULL,
	"custom_id" text NOT NULL,
	"start" bigint NOT NULL,
	"end" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"claims" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"claim" uuid,
	"claimed_until" timestamp with time zone,
	"result" text,
	"is_ok" boolean,
	CONSTRAINT "own_batch_lines_key" PRIMARY KEY("batch_id","line"),
	CONSTRAINT "own_batch_lines_custom_id" UNIQUE("batch_id","custom_id")
);
--> statement-breakpoint
CREATE TABLE "own_batches" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"api_key_id" text NOT NULL,
	"input_file_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"completion_window" text NOT NULL,
	"metadata" jsonb,
	"asked" text NOT NULL,
	"output_expires_after_seconds" integer,
	"status" text DEFAULT 'validating' NOT NULL,
	"errors" jsonb,
	"output_file_id" text,
	"error_file_id" text,
	"total" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"in_progress_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"finalizing_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"expired_at" timestamp with time zone,
	"cancelling_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"claim" uuid,
	"claimed_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "own_files" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"filename" text NOT NULL,
	"purpose" text NOT NULL,
	"content_type" text,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"key_version" integer NOT NULL,
	"api_key_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "own_batch_lines" ADD CONSTRAINT "own_batch_lines_batch_id_own_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."own_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_batches" ADD CONSTRAINT "own_batches_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_batches" ADD CONSTRAINT "own_batches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_files" ADD CONSTRAINT "own_files_organisation_id_organisations_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_files" ADD CONSTRAINT "own_files_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "own_batch_lines_waiting" ON "own_batch_lines" USING btree ("line","batch_id") WHERE "own_batch_lines"."result" is null;--> statement-breakpoint
CREATE INDEX "own_batches_workspace" ON "own_batches" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "own_batches_status" ON "own_batches" USING btree ("status");--> statement-breakpoint
CREATE INDEX "own_files_workspace" ON "own_files" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "own_files_expiry" ON "own_files" USING btree ("expires_at");
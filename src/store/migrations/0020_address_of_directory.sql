ALTER TABLE "users" ADD COLUMN "email_type" text DEFAULT 'work' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_email_primary" boolean DEFAULT true NOT NULL;
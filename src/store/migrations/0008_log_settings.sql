ALTER TABLE "api_keys" ADD COLUMN "logs" jsonb;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "logs" jsonb;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "logs" jsonb;
ALTER TABLE "integrations" ADD COLUMN "tags" jsonb;

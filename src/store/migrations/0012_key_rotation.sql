ALTER TABLE "api_keys" ADD COLUMN "next_rotation_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotated_secret" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "uncollected_check_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "api_keys_next_rotation" ON "api_keys" USING btree ("next_rotation_at") WHERE "api_keys"."next_rotation_at" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_uncollected" ON "api_keys" USING btree ("uncollected_check_at") WHERE "api_keys"."uncollected_check_at" is not null;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_uncollected_complete" CHECK (num_nonnulls("api_keys"."rotated_secret", "api_keys"."uncollected_check_at") in (0, 2));--> statement-breakpoint
-- Until here policies were kept and rotated nothing. Their periods begin now; a single time that is still to come stays.
UPDATE "api_keys" SET
  "next_rotation_at" = CASE
    WHEN "rotation_policy" ->> 'nextRotationAt' IS NOT NULL THEN ("rotation_policy" ->> 'nextRotationAt')::timestamptz
    ELSE date_trunc('milliseconds', (now() AT TIME ZONE 'UTC' + CASE "rotation_policy" ->> 'rotationPeriod'
      WHEN 'monthly' THEN interval '1 month'
      WHEN 'weekly' THEN interval '7 days'
      ELSE make_interval(days => ("rotation_policy" ->> 'rotationPeriodDays')::int)
    END) AT TIME ZONE 'UTC')
  END,
  "rotation_policy" = ("rotation_policy" - 'nextRotationAt') || jsonb_build_object(
    'anchorAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
WHERE "rotation_policy" IS NOT NULL;--> statement-breakpoint
-- Nobody waits for a rotation that should have been made by a version which could not, or that the environment forbids.
UPDATE "api_keys" SET "rotation_policy" = NULL, "next_rotation_at" = NULL
WHERE "next_rotation_at" <= now() OR ("rotation_policy" IS NOT NULL AND "preset" IS NOT NULL);

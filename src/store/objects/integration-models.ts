import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { integrationModels } from '../schema/integrations.ts'
import type { Db } from '../types.ts'

export type IntegrationModel = Readonly<typeof integrationModels.$inferSelect>
export type NewIntegrationModel = Readonly<
  Omit<typeof integrationModels.$inferInsert, 'integrationId' | 'createdAt' | 'lastUpdatedAt'>
>

/** All of an integration, by slug. */
export const listIntegrationModels = (db: Db, integrationId: string): Promise<IntegrationModel[]> =>
  db
    .select()
    .from(integrationModels)
    .where(eq(integrationModels.integrationId, integrationId))
    .orderBy(asc(integrationModels.slug))

/** The models of these slugs that are stored, by slug. */
export const findIntegrationModels = (
  db: Db,
  { integrationId, slugs }: { readonly integrationId: string; readonly slugs: readonly string[] },
): Promise<IntegrationModel[]> =>
  db
    .select()
    .from(integrationModels)
    .where(and(eq(integrationModels.integrationId, integrationId), inArray(integrationModels.slug, [...slugs])))
    .orderBy(asc(integrationModels.slug))

/** Writes each model as a whole, new or not; others stay as they are. A slug may come once. */
export const putIntegrationModels = async (
  db: Db,
  { integrationId, models }: { readonly integrationId: string; readonly models: readonly NewIntegrationModel[] },
): Promise<void> => {
  if (models.length === 0) return
  await db
    .insert(integrationModels)
    .values(models.map((model) => ({ ...model, integrationId })))
    .onConflictDoUpdate({
      target: [integrationModels.integrationId, integrationModels.slug],
      set: {
        enabled: sql`excluded.enabled`,
        isCustom: sql`excluded.is_custom`,
        isFinetune: sql`excluded.is_finetune`,
        baseModelSlug: sql`excluded.base_model_slug`,
        configurations: sql`excluded.configurations`,
        secrets: sql`excluded.secrets`,
        masked: sql`excluded.masked`,
        pricingConfig: sql`excluded.pricing_config`,
      },
    })
}

/** Deletes those of the models that are custom ones. @returns the slugs that were deleted */
export const deleteCustomModels = async (
  db: Db,
  { integrationId, slugs }: { readonly integrationId: string; readonly slugs: readonly string[] },
): Promise<readonly string[]> => {
  const deleted = await db
    .delete(integrationModels)
    .where(
      and(
        eq(integrationModels.integrationId, integrationId),
        inArray(integrationModels.slug, [...slugs]),
        eq(integrationModels.isCustom, true),
      ),
    )
    .returning({ slug: integrationModels.slug })
  return deleted.map(({ slug }) => slug)
}

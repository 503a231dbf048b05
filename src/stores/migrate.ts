/** Brings the schema of the store that the settings name up to date, without starting a gateway. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreSettings } from './open.ts'
import { migrate as migratePostgres, migrationsFolder as postgresFolder, schemaState as postgresState } from './postgres/migrations.ts'
import { connectForTool } from './postgres/tool-client.ts'
import { dueVersions, loadMigrations, type SchemaVersions } from './sql/migrations.ts'
import { databaseName, openForReading, openForWriting } from './sqlite/database.ts'
import { migrate as migrateSqlite, migrationsFolder as sqliteFolder, schemaState as sqliteState } from './sqlite/migrations.ts'
import { takeOwnership } from './sqlite/owner.ts'

/** Migrates the schema. Returns its versions before and after. Throws `store_unavailable` when
 *  the database cannot be reached, when its schema is too new for this program, when a gateway runs
 *  on the data folder, or when live nodes run a program that is too old for the new schema. */
export async function migrateStore({ dataDir, databaseUrl }: StoreSettings): Promise<SchemaVersions> {
  if (databaseUrl === undefined) return migrateFolder(dataDir)
  const client = await connectForTool(databaseUrl, 'gateway migrate')
  try {
    return await migratePostgres(client)
  } finally {
    await client.end()
  }
}

/** Returns the version of the schema and the version to which `migrateStore` would bring it;
 *  changes nothing. Throws `store_unavailable` when the database cannot be reached or its schema is
 *  too new for this program. */
export async function schemaVersions({ dataDir, databaseUrl }: StoreSettings): Promise<SchemaVersions> {
  if (databaseUrl === undefined) return versionsOfFolder(dataDir)
  const client = await connectForTool(databaseUrl, 'gateway migrate')
  try {
    return dueVersions(await postgresState(client), loadMigrations(postgresFolder), 'The database')
  } finally {
    await client.end()
  }
}

function migrateFolder(dataDir: string): SchemaVersions {
  const lock = takeOwnership(dataDir)
  try {
    const database = openForWriting(join(dataDir, databaseName), 'FULL')
    try {
      return migrateSqlite(database, loadMigrations(sqliteFolder))
    } finally {
      database.close()
    }
  } finally {
    lock.release()
  }
}

function versionsOfFolder(dataDir: string): SchemaVersions {
  const file = join(dataDir, databaseName)
  const migrations = loadMigrations(sqliteFolder)
  if (!existsSync(file)) return { from: 0, to: migrations.length }
  const database = openForReading(file)
  try {
    return dueVersions(sqliteState(database), migrations, 'The data directory')
  } finally {
    database.close()
  }
}

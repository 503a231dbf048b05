/** Runs the commands `gateway backup` and `gateway restore`. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { version } from '../config/settings.ts'
import { backUp } from '../stores/moving/backup.ts'
import { describeBackup } from '../stores/moving/backup-form.ts'
import { checkBackup, restore } from '../stores/moving/restore.ts'
import { folderOf as blobsFolderOf } from '../stores/open-blobs.ts'
import { folderOf, printMissing, seconds, workOn } from './move.ts'
import { print } from './terminal.ts'
import { readTrustedConfig } from './trusted-config.ts'

const backupHelp = `gateway backup FOLDER
  Copies the data folder into a new folder while the gateway runs: the database as it is at one moment, every file
  that it names (hard links where possible), the files of the engines, and the keys that the data folder has.`

const restoreHelp = `gateway restore FOLDER
  Checks a backup and brings it into the empty data folder of the settings.
    --check             Only checks the backup.`

/** Runs `gateway backup`. Throws the errors of `backUp`, and `invalid_request` for a PostgreSQL
 *  database or a bucket of blobs, which this command cannot back up. */
export async function runBackup(args: string[]): Promise<void> {
  const { folder } = folderOf(args, { help: backupHelp, options: {} })
  if (folder === undefined) return
  const { dataDir, blobsFolder } = dataFolder('backup')
  const start = performance.now()
  const manifest = await workOn(folder, progress => backUp({ dataDir, blobsFolder, folder, program: version, progress }))
  print(`Copied ${describeBackup(manifest)} in ${seconds(start)} to ${folder}.`)
  printMissing(manifest.missingBlobs)
  const keys = manifest.files.map(({ path }) => path).filter(path => path.endsWith('.key'))
  if (keys.includes('secret.key'))
    print(`IT HOLDS THE KEYS OF THE GATEWAY: ${keys.join(', ')} (mode 0600). Whoever reads this folder reads every secret in it.`)
  else print('GATEWAY_SECRET_KEY IS NOT IN IT: the data folder has no secret.key. Without that key the backup cannot be used.')
}

/** Runs `gateway restore`. Throws the errors of `restore`, and `invalid_request` for a PostgreSQL
 *  database or a bucket of blobs, which this command cannot restore. */
export async function runRestore(args: string[]): Promise<void> {
  const { folder, values } = folderOf(args, { help: restoreHelp, options: { check: { type: 'boolean' } } })
  if (folder === undefined) return
  const start = performance.now()
  if (values.check === true) {
    const manifest = await workOn(folder, progress => checkBackup({ folder, progress }))
    return print(`The backup of ${manifest.madeAt} is whole: ${describeBackup(manifest)}, checked in ${seconds(start)}.`)
  }
  const { dataDir, blobsFolder } = dataFolder('restore')
  const manifest = await workOn(dataDir, progress => restore({ folder, dataDir, blobsFolder, progress }))
  print(`Restored ${describeBackup(manifest)} of ${manifest.madeAt} in ${seconds(start)} into ${dataDir}.`)
  printMissing(manifest.missingBlobs)
}

/** Returns the data folder and the folder of blobs from the settings. Throws `invalid_request`
 *  when the settings name a database or a bucket, because these commands handle only folders. */
function dataFolder(command: string): { dataDir: string; blobsFolder: string } {
  const { databaseUrl, dataDir, blobs } = readTrustedConfig()
  const blobsFolder = blobsFolderOf(blobs, place => {
    const sentence = `gateway ${command} is for a data folder and a folder of blobs, but GATEWAY_BLOBS_URL names the ${place}. Back the bucket up by its own means (versions of its objects, or a copy): docs/operate/s3.md. gateway export writes a copy that any store can import.`
    return new GatewayError('invalid_request', sentence, { field: 'GATEWAY_BLOBS_URL' })
  })
  if (databaseUrl === undefined) return { dataDir, blobsFolder }
  throw new GatewayError(
    'invalid_request',
    `gateway ${command} is for a data folder. The database of GATEWAY_DATABASE_URL is backed up by PostgreSQL's own tools (pg_dump, or WAL archiving), and the folder of blobs beside it: docs/operate/backup.md has the steps. gateway export writes a copy that any store can import.`,
    { field: 'GATEWAY_DATABASE_URL' },
  )
}

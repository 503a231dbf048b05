/** `npm test [-- --offline] [files]`: adds the engine packs the tests need, then runs the tests. With `--offline` nothing is fetched, and tests whose pack is missing are skipped by name. */
import { spawnSync } from 'node:child_process'

const given = process.argv.slice(2)
const isOffline = given.includes('--offline')
const files = given.filter(argument => argument !== '--offline')
const patterns = files.length > 0 ? files : ['src/**/*.test.ts', 'bench/**/*.test.ts']

run(['src/cli/gateway.ts', 'setup', ...(isOffline ? ['--offline'] : [])])
run(['--test', '--test-concurrency=2', ...patterns])

function run(args: string[]): void {
  const env = isOffline ? { ...process.env, GATEWAY_OFFLINE: '1' } : process.env
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

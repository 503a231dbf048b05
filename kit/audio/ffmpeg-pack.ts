/** The ffmpeg pack of `npm run setup`, for machines without a recent ffmpeg. ffmpeg is a separate
 *  program (GPL), neither linked nor bundled. */
import type { Pack } from '../packs.ts'

export const ffmpegPack = 'ffmpeg'
export const ffmpegFile = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'

/** The Python package that contains the builds, by the imageio project. Its builds come from
 *  FFmpeg's release branch; those for Linux and Windows are made by BtbN. A new version of the
 *  package follows each security release of FFmpeg. */
const wheel = 'imageio-ffmpeg==0.8.1'

/** Builds by Node's platform and architecture; only linux-x64 was tested. */
const builds: Readonly<Record<string, { entry: string; bytes: number; sha256: string }>> = {
  'linux-x64': {
    entry: 'ffmpeg-linux-x86_64-v9.0.2',
    bytes: 172_692_552,
    sha256: '0d709a0bed1a43f24cd2c420878c63afea4580671b6949ad19ed124572f3bc3d',
  },
  'linux-arm64': {
    entry: 'ffmpeg-linux-aarch64-v9.0.2',
    bytes: 130_865_896,
    sha256: '0b0b5ac30495b4e07ce1321b8d58200f901f57782884a8b6b264c7528c2c9e77',
  },
  'darwin-arm64': {
    entry: 'ffmpeg-macos-aarch64-v9.0',
    bytes: 52_070_376,
    sha256: '591260c945d0eef150e3bf82b0ef988bd36a9cecc18ff05d6679617159f0a95e',
  },
  'darwin-x64': {
    entry: 'ffmpeg-macos-x86_64-v9.0.2',
    bytes: 80_827_688,
    sha256: 'a45b462cf91ed89148ae218c4577e30896485d7a6792c3673bcf5f823fa01b63',
  },
  'win32-x64': {
    entry: 'ffmpeg-win-x86_64-v9.0.2.exe',
    bytes: 105_423_872,
    sha256: '3256173f3f8bffd7df12227c68adf68025edb1832273a9530688a7bb1ed8edec',
  },
}

/** The packs for this platform; empty on a platform without a build. */
export const ffmpegPacks: readonly Pack[] = packsFor(`${process.platform}-${process.arch}`)

function packsFor(platform: string): readonly Pack[] {
  const build = builds[platform]
  if (!build) return []
  const { entry, bytes, sha256 } = build
  const part = { from: 'wheel', name: wheel, entry: `imageio_ffmpeg/binaries/${entry}`, bytes } as const
  return [
    {
      id: ffmpegPack,
      title: 'FFmpeg 9.0: reads and writes sound and video, where the system has none that is new enough',
      capability: 'sound and video',
      licence: 'GPL-3.0-or-later',
      isDefault: true,
      files: [{ name: ffmpegFile, bytes, sha256, isExecutable: true, sources: [{ kind: 'archives', parts: [part] }] }],
    },
  ]
}

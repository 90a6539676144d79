/** A process that takes over every folder of a spool that it can lock, and removes it: `taking-over.ts FOLDER`. Until it is killed. */
import { listFolders, removeFolder, takeFolder } from '../../../src/records/spool/spool-folder.ts'

const [root = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
for (;;) {
  for (const id of listFolders(root)) {
    const folder = takeFolder(root, id)
    if (folder !== undefined) removeFolder(folder)
  }
}

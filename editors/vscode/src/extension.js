// Starts `warplog lsp` for CUDA files. All that is shown comes from the server.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function make() {
  const settings = vscode.workspace.getConfiguration('warplog');
  const server = {
    command: settings.get('path'),
    args: ['lsp', ...settings.get('arguments')],
  };
  const documents = ['cuda', 'cuda-cpp'].map((language) => ({ scheme: 'file', language }));
  return new LanguageClient('warplog', 'warplog', server, { documentSelector: documents });
}

async function start() {
  client = make();
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`warplog does not start (setting warplog.path): ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) {
    await running.stop().catch(() => {});
  }
}

async function activate(context) {
  context.subscriptions.push(
    // What a lens over a kernel does: the finding is under Problems.
    vscode.commands.registerCommand('warplog.explain', () =>
      vscode.commands.executeCommand('workbench.actions.view.problems')),
    vscode.commands.registerCommand('warplog.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('warplog')) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };

import contextArgument from './context-argument/index.ts';
import heartbeat from './heartbeat/index.ts';
import label from './label/index.ts';
import loopBody from './loop-body/index.ts';
import platformSession from './platform-session/index.ts';
import wrapper from './wrapper/index.ts';

/** Every codemod by its id. */
export const codemods = Object.fromEntries(
  [contextArgument, heartbeat, label, loopBody, platformSession, wrapper].map((codemod) => [codemod.id, codemod]),
);

#!/usr/bin/env node
try {
  // not the name of earlier builds: one of those is told apart from this one before any of it runs
  require('../dist/start.js');
} catch (e) {
  require('./unbuilt.js')(e);
}

#!/usr/bin/env node
require('../dist/looptag.js');

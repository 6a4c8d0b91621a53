"use strict";

module.exports = require("./classes.js")(require("./fieldstone.node"));

"""Runs one file of tests and writes a line of JSON for each: its name, and why it failed, if it did."""

import json
import sys
import unittest
import warnings


class Lines(unittest.TestResult):
    def say(self, test, failure):
        name = getattr(test, "_testMethodName", test.id())
        print(json.dumps({"name": name, "failure": failure}), flush=True)

    def addSuccess(self, test):
        self.say(test, None)

    def addFailure(self, test, err):
        self.say(test, self._exc_info_to_string(err, test))

    def addError(self, test, err):
        self.say(test, self._exc_info_to_string(err, test))


if __name__ == "__main__":
    # What clients say about their own old methods is no concern of these tests.
    warnings.simplefilter("ignore")
    unittest.defaultTestLoader.loadTestsFromName(sys.argv[1]).run(Lines())

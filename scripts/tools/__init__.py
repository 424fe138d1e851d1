"""The commands of scripts/tool, one group a module."""

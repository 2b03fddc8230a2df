"""Pure game knowledge: rules, tables, chance, memory, record. No I/O, no clock, standard library only."""
